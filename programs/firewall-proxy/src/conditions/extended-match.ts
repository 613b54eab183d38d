import { BlockList, isIP, isIPv6 } from 'node:net'
import {
  type ElementMatch,
  type ExtendedMatch,
  NoLinearForm,
  parseExtendedMatch,
} from '@palisade/proxy-protocol'
import type { ResponseHead } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { BoundedExpression } from '../patterns/bounded-expression.ts'
import { operandsOf, readingsOf } from './operands.ts'

/**
 * Whether a rule is about a request, or about the answer to it.
 *
 * @param head the answer's; without it nothing of an answer exists
 */
export type Condition = (exchange: Exchange, head?: ResponseHead) => boolean

/**
 * An extended match made ready to be asked.
 *
 * @returns undefined when the text is not understood: whoever has such a rule decides what that means for it. The management
 *   tells administrators of it.
 * @throws NoLinearForm for an expression that would take too long, which only an older management gives
 */
export function conditionOf(text: string): Condition | undefined {
  const parsed = parseExtendedMatch(text)
  if ('match' in parsed) return compiled(parsed.match)
  if (parsed.isUnbounded) throw new NoLinearForm(parsed.problem)
  return undefined
}

function compiled(match: ExtendedMatch): Condition {
  switch (match.kind) {
    case 'always':
      return () => true
    case 'all': {
      const parts = match.parts.map(compiled)
      return (exchange, head) => parts.every((part) => part(exchange, head))
    }
    case 'any': {
      const parts = match.parts.map(compiled)
      return (exchange, head) => parts.some((part) => part(exchange, head))
    }
    case 'element':
      return comparison(match)
  }
}

/** Of several values one has to fit; a negated comparison holds when none does. */
function comparison(match: ElementMatch): Condition {
  const { element, isNegated, name } = match
  if (element === 'client-ip') {
    const isInside = networkTest(match.value)
    return ({ clientAddress }) => isInside(clientAddress) !== isNegated
  }
  const operands = operandsOf(element, name)
  if (match.operator === 'ex') {
    return (exchange, head) => operands(exchange, head).length > 0 !== isNegated
  }
  const fits = textTest(match)
  const readings = readingsOf(element, isNegated)
  return (exchange, head) =>
    operands(exchange, head).some(fits) !== isNegated ||
    readings(exchange).some((reading) => fits(reading) !== isNegated)
}

function textTest({ operator, value }: ElementMatch): (operand: string) => boolean {
  if (operator === 'req' || operator === 'rco') {
    const expression = new BoundedExpression(operator === 'req' ? `^(?:${value})$` : value)
    return (operand) => expression.test(operand)
  }
  const lower = value.toLowerCase()
  return operator === 'eq'
    ? (operand) => operand.toLowerCase() === lower
    : (operand) => operand.toLowerCase().includes(lower)
}

/** @param network an address, or one with "/" and the number of bits or the mask */
function networkTest(network: string): (address: string) => boolean {
  const [address = '', mask] = network.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  if (mask === undefined) list.addAddress(address, family)
  else list.addSubnet(address, mask.includes('.') ? bitsOf(mask) : Number(mask), family)
  return (client) => isIP(client) > 0 && list.check(client, isIPv6(client) ? 'ipv6' : 'ipv4')
}

/** How many bits of a mask such as 255.255.255.0 are set. */
function bitsOf(mask: string): number {
  return mask
    .split('.')
    .map((part) => Number(part).toString(2).replaceAll('0', '').length)
    .reduce((sum, bits) => sum + bits, 0)
}
