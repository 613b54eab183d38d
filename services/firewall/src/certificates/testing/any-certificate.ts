import { makeSelfSigned } from '../index.ts'

/** A certificate for tests that need any. */
export const anyCertificate = await makeSelfSigned({
  commonName: 'www.example.com',
  countryCode: 'US',
  key: { type: 'ECDSA', curve: 'secp256r1' },
  notBefore: new Date('2025-01-01T00:00:00Z'),
  validityDays: 365,
})
