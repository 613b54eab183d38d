/** How grave an event is, as RFC 5424, section 6.2.1, numbers it: the lower, the graver. */
export const logLevels = [
  '0-Emergency',
  '1-Alert',
  '2-Critical',
  '3-Error',
  '4-Warning',
  '5-Notice',
  '6-Information',
  '7-Debug',
] as const
