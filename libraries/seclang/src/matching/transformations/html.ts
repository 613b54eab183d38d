const named: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['nbsp', '\xa0'],
])

/** C's greatest `long`, at which `strtol` stops. */
const longMax = 2n ** 63n - 1n

/**
 * `&#xHH;`, `&#DDD;` and five names in any case, the semicolon optional. Of a number the lowest byte is taken. Other
 * entities stay.
 */
export function htmlEntityDecode(value: string): string {
  return value.replaceAll(
    /&(?:#[xX]([0-9A-Fa-f]+)|#([0-9]+)|([0-9A-Za-z]+));?/g,
    (entity, hexadecimal?: string, decimal?: string, name?: string) => {
      if (hexadecimal !== undefined) return lowByte(BigInt(`0x${hexadecimal}`))
      if (decimal !== undefined) return lowByte(BigInt(decimal))
      return named.get(name?.toLowerCase() ?? '') ?? entity
    },
  )
}

function lowByte(number: bigint): string {
  return String.fromCharCode(Number((number > longMax ? longMax : number) & 0xffn))
}
