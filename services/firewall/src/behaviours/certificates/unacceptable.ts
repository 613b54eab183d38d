import { CertificateUnreadable } from '../../certificates/index.ts'
import { ConfigurationRefused } from '../../failure.ts'

/**
 * The end of a request because of one member.
 *
 * @param sentences what is wrong with it, and what was expected
 */
export function refusalOf(member: string, sentences: string): ConfigurationRefused {
  return new ConfigurationRefused({
    code: 'not-acceptable',
    problems: [`The member ${member}: ${sentences}`],
  })
}

/**
 * What the work with one member gives.
 *
 * @throws ConfigurationRefused not-acceptable, naming the member, where the work finds it unreadable
 */
export async function naming<T>(member: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof CertificateUnreadable ? refusalOf(member, error.message) : error
  }
}
