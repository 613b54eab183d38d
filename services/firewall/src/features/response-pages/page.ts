import type { FactoryObject } from '../../kinds/kind.ts'

interface Page {
  readonly type: 'Access Control Pages' | 'Captcha Pages' | 'Error Pages' | 'Other Pages'
  /** With its reason: "403 Forbidden". */
  readonly status: string
  /** HTML when left out. */
  readonly contentType?: string
  readonly body: string
}

/** A page of the factory. Nobody keeps a copy of it, since it tells what was decided about one request. */
export function page(
  name: string,
  { type, status, contentType = 'text/html; charset=utf-8', body }: Page,
): FactoryObject {
  const headers = [
    `Content-Type: ${contentType}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
  ].join('\n')
  return { path: [name], fields: { type, 'status-code': status, headers, body } }
}

/** Readable on every screen, and in the light or dark colours that its owner has chosen; nothing is fetched. */
const style = [
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}',
  'input{font:inherit;display:block;box-sizing:border-box;width:100%;padding:.5rem}',
  'button{font:inherit;padding:.5rem 1.5rem}',
].join('')

/**
 * A whole HTML document.
 *
 * @param title text without markup, which is also the heading
 * @param parts HTML, one below the other
 */
export function htmlPage(title: string, ...parts: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<style>${style}</style>`,
    `<title>${title}</title>`,
    '</head>',
    '<body>',
    `<h1>${title}</h1>`,
    ...parts,
    '</body>',
    '</html>',
  ].join('\n')
}

/** @param content HTML */
export function paragraph(content: string): string {
  return `<p>${content}</p>`
}

/** The button that sends a form. */
export function button(label: string): string {
  return paragraph(`<button type="submit">${label}</button>`)
}
