import type { ResourceAction } from '@palisade/platform'

/** "audit entry" becomes AuditEntry. */
export function titleOf(words: string): string {
  return words.replace(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** "enrolment-key" of a computer becomes enrolmentKeyOfComputer. */
export function operationOf({ name }: ResourceAction, title: string): string {
  const words = titleOf(name)
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}Of${title}`
}
