// /projects/{id}/certificates: create, list, read, replace, delete, and try one.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import {
  certificate,
  certificateChange,
  certificateRequest,
  certificateTest,
  certificateTestRequest,
} from './certificate.ts';
import { certificateEvents } from './events.ts';

const tag = 'Certificates';

export const certificateRoutes = defineRoutes({
  createCertificate: {
    method: 'POST',
    path: '/projects/:project_id/certificates',
    access: 'admin',
    tag,
    summary: 'Create a certificate',
    description:
      'Stores certificate authorities (`ca`), a client certificate with its key, or both. Set it as `certificate_id` of tools, MCP servers, hooks, webhooks, log streams and OAuth providers. The key is stored encrypted and never returned. Refused with 422 and the field: text that is not PEM, a key that does not fit or is encrypted, a chain that is not in order, and certificates that have expired. A project can have at most 20. A credential with access to only some toolsets cannot create or change certificates: 403.',
    body: certificateRequest,
    response: certificate,
    status: 201,
    errors: ['limitReached', 'nameTaken'],
    takes_idempotency_key: true,
  },
  listCertificates: {
    method: 'GET',
    path: '/projects/:project_id/certificates',
    access: 'admin',
    tag,
    summary: 'List certificates, newest first',
    description: 'All certificates of the project, with what uses each of them. Private keys are not shown.',
    query: pageQuery,
    response: pageOf(certificate),
  },
  getCertificate: {
    method: 'GET',
    path: '/projects/:project_id/certificates/:certificate_id',
    access: 'admin',
    tag,
    summary: 'Get a certificate',
    description: 'One certificate, with what uses it. Its private key is not shown.',
    response: certificate,
  },
  updateCertificate: {
    method: 'PATCH',
    path: '/projects/:project_id/certificates/:certificate_id',
    access: 'admin',
    tag,
    summary: 'Rename or replace a certificate',
    description:
      'Replaces it in place: everything that uses it connects with the new one from its next request, and connections made with the old one are not used again. Fields you leave out stay unchanged. A new `client_certificate` without `client_key` must fit the stored key. Setting `client_certificate` to null removes the key too.',
    body: certificateChange,
    response: certificate,
    errors: ['nameTaken'],
  },
  deleteCertificate: {
    method: 'DELETE',
    path: '/projects/:project_id/certificates/:certificate_id',
    access: 'admin',
    tag,
    summary: 'Delete a certificate',
    description:
      'Deletes the certificate and its key. One that is in use is refused with 409; `details.used_by` lists what uses it.',
    response: null,
    errors: ['certificateInUse'],
  },
  testCertificate: {
    method: 'POST',
    path: '/projects/:project_id/certificates/:certificate_id/test',
    access: 'admin',
    tag,
    summary: 'Test a certificate with a host',
    description:
      'Connects to the host of the URL, and returns the chain that it presented and what is wrong with it: it cannot be verified, is for another host, or has expired. If the chain is accepted, a GET request without a credential is sent to the URL, which shows whether the host accepts the client certificate; its body is not returned. Only hosts that tools can reach are allowed. Nothing is recorded.',
    body: certificateTestRequest,
    response: certificateTest,
  },
});

export const certificates = defineResource({
  chapters: {
    Certificates: 'Certificate authorities of your own, and client certificates for hosts that require them',
  },
  events: certificateEvents,
  routes: certificateRoutes,
});
