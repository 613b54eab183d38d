/** The path and query of a request's address, which may come with scheme and host. */
export function pathOf(url: string): string {
  if (url.startsWith('/')) return url
  const [, path = ''] = /^https?:\/\/[^/?]*(.*)$/i.exec(url) ?? [url, url]
  return path.startsWith('/') ? path : `/${path}`
}
