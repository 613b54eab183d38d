/** The server leaves the sentence of a sign-in that failed at a provider in this cookie, for the page that follows. */
const name = '__Host-palisade-refusal'

/** Why a sign-in at a provider has failed, in the server's words; undefined when none has. It is forgotten once read. */
export function takeRefusal(): string | undefined {
  const value = document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  if (value === undefined) return undefined
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${name}=; Max-Age=0; Path=/; Secure; SameSite=Strict`
  return decodeURIComponent(value)
}
