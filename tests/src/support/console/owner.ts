/** The owner whom every console under test has. */
export const owner = {
  username: 'ada',
  password: 'a long enough password',
  grants: [{ role: 'owner' }],
} as const
