/** Whether a request came to v3 or v3.1, some of whose replies v3.2 has in another form. */
export function isOlderVersion(url: string): boolean {
  return /^\/*restapi\/+v3(?:\.1)?\//i.test(url)
}
