import { systemCode } from '@palisade/private-files'

/**
 * Why nobody can be listened to at an address, by what the system has thrown: "another program listens there already".
 */
export function whyNotListening(error: unknown): string {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return 'another program listens there already'
    case 'EADDRNOTAVAIL':
      return 'this machine does not have the address'
    case 'EACCES':
    case 'EPERM':
      return 'this user may not open this port'
    case 'EAFNOSUPPORT':
      return 'this machine does not have addresses of this kind'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'nobody knows the address of a host of that name'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
