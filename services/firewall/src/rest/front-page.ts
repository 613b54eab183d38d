import type { FastifyInstance } from 'fastify'

/** Where clients look for the web interface of such devices before they log in. */
const address = '/cgi-mod/index.cgi'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Palisade firewall management</title>
<h1>Palisade firewall management</h1>
<p>This is the management API of a web application firewall. It has no web interface.</p>
<ul>
<li>Programs log in with <code>POST /restapi/v3.2/login</code>.</li>
<li>The OpenAPI description is <code>/openapi/firewall.json</code> at the port of the other services (8080 and 8444 unless they were changed).</li>
<li>The documents are in the folder <code>docs</code> of the release: <code>docs/README.md</code> for operators, <code>docs/firewall-compatibility.md</code> for those who write clients.</li>
</ul>
</html>
`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** `GET /cgi-mod/index.cgi`: a page for whoever comes with a browser. Some clients wait until it is there. */
export async function frontPage(scope: FastifyInstance): Promise<void> {
  scope.get(address, { schema: { hide: true } }, (_request, reply) => reply.headers(headers).send(page))
}
