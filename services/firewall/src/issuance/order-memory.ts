/** An order that is under way, with what is needed to go on with it on another server. */
export interface OngoingOrder {
  readonly url: string
  /** The address of the authority's directory. */
  readonly directory: string
  readonly names: readonly string[]
  /** The request that the certificate is signed by: PKCS #10, DER as base64. */
  readonly request: string
  /** PKCS #8 as PEM. */
  readonly privateKey: string
}

/** Remembers the order of one certificate beyond the server that has placed it, so that nobody places another one. */
export interface OrderMemory {
  /** @returns undefined where none was placed, or the last one has ended */
  load(): Promise<OngoingOrder | undefined>
  save(order: OngoingOrder): Promise<void>
}
