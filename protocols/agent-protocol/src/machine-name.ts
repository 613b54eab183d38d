export const machineNameLengthMax = 100

/** Whether a text can be the name of a machine on every host: one line that shows, without blanks at its ends. */
export function isMachineName(name: string): boolean {
  const hasLength = name.length > 0 && name.length <= machineNameLengthMax
  return hasLength && name.trim() === name && !/\p{Cc}/u.test(name) && name.isWellFormed()
}
