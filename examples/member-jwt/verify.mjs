// An API in Node that accepts only calls of toolgate (auth_strategy member_jwt), with @toolgate/sdk.
//
//   node verify.mjs https://tools.example.com/api/v1/projects/prj_… https://api.example.com

import { createServer } from 'node:http';
import { SignatureError, verifyMemberJwt } from '@toolgate/sdk';

const [, , issuer, audience] = process.argv;

createServer(async (request, response) => {
  try {
    const { memberId } = await verifyMemberJwt({ token: request.headers.authorization ?? '', issuer, audience });
    response.end(JSON.stringify({ orders_of: memberId }));
  } catch (error) {
    response.writeHead(error instanceof SignatureError ? 401 : 500).end();
  }
}).listen(8080);
