/**
 * The name of a computer's domain in the vault, different for each computer: keys of chunks are bound to it. Both halves are
 * percent-encoded, which changes nothing about usual ids, so that a slash in one of them cannot make two computers look
 * like one. What a stranger claims to be may be no valid text; it is not the id of any computer.
 */
export function domainName(account: string, computer: string): string {
  return [account, computer].map((id) => encodeURIComponent(id.toWellFormed())).join('/')
}
