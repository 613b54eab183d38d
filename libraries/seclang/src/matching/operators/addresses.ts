import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { matchIf, type Operator, OperatorArgumentError, type OperatorFactory } from './operator.ts'
import { readFiles } from './phrases.ts'

/** Whether the value is an address in one of the networks of the argument: `192.0.2.1,10.0.0.0/8,2001:db8::/32`. */
export const ipMatch: OperatorFactory = {
  name: 'ipMatch',
  create: (argument) => matchAddresses(argument.split(',').map((entry) => entry.trim())),
}

/** The same with a network on each line of a file. */
export const ipMatchFromFile: OperatorFactory = addressesOfFile('ipMatchFromFile')
/** `@ipMatchF` and its longer name: addresses and networks, one a line of a file. */
export const ipMatchF: OperatorFactory = addressesOfFile('ipMatchF')

function addressesOfFile(name: string): OperatorFactory {
  return {
    name,
    create(argument, context) {
      const lines = readFiles(argument, context).flatMap((text) => text.split('\n'))
      const entries = lines.map((line) => /^\s*([0-9A-Fa-f.:/]*)/.exec(line)?.[1] ?? '')
      return matchAddresses(entries.filter((entry) => entry !== ''))
    },
  }
}

function matchAddresses(entries: readonly string[]): Operator {
  const networks = new BlockList()
  for (const entry of entries) addNetwork(networks, entry)
  return {
    match(value) {
      if (isIPv4(value)) return matchIf(networks.check(value, 'ipv4'))
      return matchIf(isIPv6(value) && networks.check(value, 'ipv6'))
    },
  }
}

function addNetwork(networks: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/')
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined
  const prefixMax = family === 'ipv4' ? 32 : 128
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= prefixMax)
  if (family === undefined || !isPrefix) {
    throw new OperatorArgumentError(`expected an IP address or a network, not "${entry}"`)
  }
  networks.addSubnet(address, prefix === undefined ? prefixMax : Number(prefix), family)
}
