// The floor of every request: an answer.

export default {
  fetch: () => new Response("{}", { headers: { "content-type": "application/json" } }),
};
