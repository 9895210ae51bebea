// Values that examples of the API share.

/** Ids that the examples share. */
export const exampleIds = {
  project_id: 'prj_4fTq0cDkXv8mWn2ZbR6yLs',
  integration_id: 'int_1sWd5aCbMe7nYk0XgP4tRu',
  member_id: 'mem_5nXk8bGcRt3uQo7ZjT0wSv',
  api_key_id: 'key_9dKx2vQmTa7cBz0RfY4wLp',
  tool_id: 'tool_7kPm3zWdHs9vXc1QnT6yRb',
  toolset_id: 'tst_2mWq7xNdRb4vKc9ZtP0yLs',
  mcp_server_id: 'mcs_9wKd3xQnTb6vYc1ZrM4sPf',
  limit_id: 'lim_5tXc8wKdQn2vYb7ZrM0sPf',
  approval_id: 'apr_3nVx6wQdKb9tYc2ZmR7sLf',
  hook_id: 'hook_3vZm8xKtWq1nRb6YcP0sLd',
  log_stream_id: 'str_9wTb4xKdMn7vQc2ZrY0sLp',
  webhook_id: 'wh_4cYt9wNbXk1mQv7RzP2sFh',
  oauth_provider_id: 'oap_6tRx1nZcQm4vWk8YbF3sHd',
  oauth_client_id: 'oac_3pWn8sLcVd5yTk1QmX7zRb',
  connection_id: 'con_8vHn4kSdXw2qBt7MzL5yRc',
  request_id: 'req_6QpWm0dYx3VhKc9TzB2sLn',
} as const;

export const exampleTime = '2026-11-15T12:00:00.000000Z';

/** The address that a server without settings has. */
export const examplePublicUrl = 'http://127.0.0.1:3000';
