/** An address in which what was encoded twice is encoded once: `%252e` becomes `%2e`. */
export function withoutSecondEncoding(target: string): string {
  return target.replace(/%25(?=[0-9a-f]{2})/gi, '%')
}
