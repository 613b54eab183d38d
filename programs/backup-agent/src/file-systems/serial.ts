/** A serial number of 32 bits as systems show it, such as `1A2B-3C4D`. */
export function formatSerial(serial: number): string {
  const hex = serial.toString(16).toUpperCase().padStart(8, '0')
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}
