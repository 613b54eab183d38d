/** Lets clients in or keeps them out by the certificate that they show. In the order in which they are tried. */
export interface SnapshotCertificateRule {
  readonly name: string
  readonly does: 'allow' | 'deny'
  /** What the subject has to have, by the short names of X.520: CN, OU, O, L, ST, C. In any case; `*` stands for any characters. */
  readonly subject: Readonly<Record<string, string>>
  /** Hexadecimal, without colons and leading zeros, upper case; absent for any. */
  readonly serial?: string
}
