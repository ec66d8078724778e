// Prints an access token of the operator with the scope given as argument.

const { GRANTLOG_ISSUER, GRANTLOG_OPERATOR_ID, GRANTLOG_OPERATOR_SECRET } = process.env;
const credentials = [GRANTLOG_OPERATOR_ID, GRANTLOG_OPERATOR_SECRET].map(encodeURIComponent).join(":");

const response = await fetch(`${GRANTLOG_ISSUER}/token`, {
  method: "POST",
  headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
  body: new URLSearchParams({ grant_type: "client_credentials", scope: process.argv[2] }),
});
const answer = await response.json();
if (response.status !== 200) {
  console.error(`no operator token: ${response.status} ${answer.error}`);
  process.exit(1);
}
console.log(answer.access_token);
