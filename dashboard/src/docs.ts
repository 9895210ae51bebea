// /docs: the API reference, drawn by Scalar from the server's own document. No font, no telemetry, nothing from elsewhere.

type Reference = { createApiReference(element: string, configuration: object): unknown };

function showReference(): void {
  const { Scalar } = window as unknown as { Scalar: Reference };
  const isDark = document.documentElement.dataset.theme === 'dark';
  Scalar.createApiReference('#reference', {
    url: '/api/v1/openapi.json',
    darkMode: isDark,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    proxyUrl: '',
    persistAuth: false,
    defaultOpenAllTags: false,
  });
}

const script = document.createElement('script');
script.src = '/scalar.js';
script.addEventListener('load', showReference);
document.head.append(script);
