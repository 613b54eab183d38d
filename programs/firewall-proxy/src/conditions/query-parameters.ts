/** A parameter as applications read it. */
export interface Parameter {
  /** Decoded; undefined for a part without "=". */
  readonly name: string | undefined
  /** Decoded. */
  readonly value: string
}

/** The parameters of a query or of a form's body, in their order. @param text without the "?" */
export function parametersOf(text: string): Parameter[] {
  if (text === '') return []
  return text.split('&').map((part) => {
    const sign = part.indexOf('=')
    return sign < 0
      ? { name: undefined, value: decodedParameter(part) }
      : { name: decodedParameter(part.slice(0, sign)), value: decodedParameter(part.slice(sign + 1)) }
  })
}

function decodedParameter(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '))
}

/** A text with its percent-encoded bytes decoded, as UTF-8 where they are, as single characters otherwise. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  }
}
