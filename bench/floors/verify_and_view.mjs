// The floor of a userinfo: verify, one read of the person's view, JSON.

import { verified } from "./jwt.mjs";

export default {
  async fetch(request, { KEYS, VIEWS }) {
    const { claims } = await verified(KEYS, request);
    const view = await VIEWS.get(`user:${claims.sub}`, "json");
    return Response.json({ ...view, sub: claims.sub });
  },
};
