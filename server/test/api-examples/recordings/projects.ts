// Projects, their settings, API keys and integrations.

import { makeKey, makeProject } from '../../support/make/make.ts';
import { ROOT_KEY } from '../../support/servers/start-server.ts';
import type { Recorder } from '../recorder.ts';

const DAY_MS = 86_400_000;

export async function recordProjects({ server, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { name: 'Shop', plan: 'pro' });
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  await record('checkHealth');
  await record('checkReadiness');
  const shorten = ({ openapi, info: { title, version } }: any) => ({ openapi, info: { title, version }, paths: {} });
  await record('getOpenApiDocument', { shorten });
  await record('listProjects', { key });
  await record('getProject', options);
  await record('getProjectSettings', options);
  await record('getRetention', options);
  await record('getUsage', options);
  await record('getPayloadUsage', options);
  const body = { name: 'Shop, staging', environment: 'development' };
  const { id } = await record('createProject', { key, body });
  await record('updateProject', { ...options, body: { name: 'Web shop', environment: 'production' } });
  const settings = { mcp_server_name: 'shop', mcp_instructions: 'Orders are in euros.' };
  await record('updateProjectSettings', { ...options, body: settings });
  await record('deleteProject', { key: ROOT_KEY, params: { project_id: id } });
}

export async function recordApiKeys({ server, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const expires_at = new Date(server.app.now() + 90 * DAY_MS).toISOString();
  const body = { name: 'Production backend', permissions: ['read', 'write'], expires_at };
  const { id: api_key_id } = await record('createApiKey', { ...options, body });
  const one = { key, params: { project_id, api_key_id } };
  await record('listApiKeys', { ...options, query: { limit: '1' } });
  await record('getApiKey', one);
  await record('updateApiKey', { ...one, body: { name: 'Billing backend', is_active: true } });
  const successor = await record('rotateApiKey', { ...one, body: { overlap_seconds: 3_600 } });
  const other = { key, params: { project_id, api_key_id: successor.id } };
  await record('revokeApiKey', other);
  await record('deleteApiKey', other);
}

export async function recordToolsets({ server, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { id: api_key_id, key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const tool = { name: 'find_order', base_url: 'https://api.example.com', endpoint_path: '/orders', tags: ['orders'] };
  await server.api('POST', '/custom-tools', { key, body: tool });
  const body = { slug: 'support', name: 'Support staff', description: 'Tools for support staff', tags: ['orders'] };
  const { id: toolset_id } = await record('createToolset', { ...options, body });
  const one = { key, params: { project_id, toolset_id } };
  await record('listToolsets', options);
  await record('getToolset', one);
  await record('updateToolset', { ...one, body: { only: 'read_only' } });
  await record('listEffectiveTools', { ...options, query: { api_key_id } });
  await record('deleteToolset', one);
}

export async function recordLimits({ server, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const tool = { name: 'find_order', base_url: 'https://api.example.com', endpoint_path: '/orders', tags: ['orders'] };
  await server.api('POST', '/custom-tools', { key, body: tool });
  const body = {
    name: 'Orders of a member',
    match: { tags: ['orders'] },
    per: 'member',
    limit: 100,
    window_seconds: 3600,
  };
  const { id: limit_id } = await record('createLimit', { ...options, body });
  const one = { key, params: { project_id, limit_id } };
  await record('listLimits', options);
  await record('getLimit', one);
  await record('updateLimit', { ...one, body: { limit: 200 } });
  await record('readLimitUsage', one);
  await record('deleteLimit', one);
}

export async function recordApprovals({ server, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const { key: caller } = await makeKey(server, project_id, ['read']);
  const confirm = { by: 'approver' };
  const tool = { name: 'refund_order', base_url: 'https://api.example.com', endpoint_path: '/refunds', confirm };
  await server.api('POST', '/custom-tools', { key, body: tool });
  const ask = async (given: object) => {
    const response = await server.api('POST', '/custom-tools/refund_order/execute', {
      key: caller,
      body: { arguments: given },
    });
    return { key, params: { project_id, approval_id: response.body.error.details.approval_id } };
  };
  const one = await ask({ order_id: '1017', amount: 120 });
  await record('listApprovals', { key, params: { project_id } });
  await record('getApproval', one);
  await record('approveCall', { ...one, body: { reason: 'Agreed with the customer' } });
  const other = await ask({ order_id: '1018', amount: 900 });
  await record('declineCall', { ...other, body: { reason: 'Above what we refund' } });
}

export async function recordDirectories({ server, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { name: 'Shop', environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const tool = { name: 'find_order', base_url: 'https://api.example.com', endpoint_path: '/orders' };
  await server.api('POST', '/custom-tools', { key, body: tool });
  const listing = { description: 'Find orders of the shop, and say where a parcel is.', version: '1.2.0' };
  await server.api('PATCH', `/projects/${project_id}/settings`, { key, body: { listing } });
  await record('createDirectorySubmission', { ...options, body: { for: 'claude' } });
  await record('listDirectorySubmissions', options);
  await record('getDirectoryReport', { ...options, query: { for: 'claude' } });
  await record('getServerJson', options);
}

export async function recordHooks({ server, customer, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const tool = {
    name: 'refund_order',
    base_url: 'https://api.example.com',
    endpoint_path: '/refunds',
    tags: ['money'],
  };
  await server.api('POST', '/custom-tools', { key, body: tool });
  customer.respond('/toolgate', { body: { decision: 'deny', reason: 'Refunds over 100 need a ticket.' } });
  const body = { url: `${customer.url}/toolgate`, points: ['before'], match: { tags: ['money'] } };
  const { id: hook_id } = await record('createHook', { ...options, body });
  const one = { key, params: { project_id, hook_id } };
  await record('listHooks', options);
  await record('getHook', one);
  await record('updateHook', { ...one, body: { timeout_ms: 500 } });
  await record('testHook', { ...one, body: { tool_id: 'refund_order', arguments: { amount: 250 } } });
  await record('rotateHookSecret', { ...one, body: { overlap_seconds: 86_400 } });
  await record('deleteHook', one);
}

export async function recordIntegrations({ server, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const body = { name: 'Web shop', description: 'The assistant on the order pages' };
  const { id: integration_id } = await record('createIntegration', { ...options, body });
  const one = { key, params: { project_id, integration_id } };
  await record('listIntegrations', options);
  await record('getIntegration', one);
  await record('updateIntegration', { ...one, body: { description: 'The assistant of the web shop' } });
  await record('createIntegrationApiKey', { ...one, body: { name: 'Shop backend', permissions: ['read'] } });
  await record('listIntegrationApiKeys', one);
  await record('deleteIntegration', one);
}
