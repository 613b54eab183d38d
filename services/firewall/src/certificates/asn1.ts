import * as asn1js from 'asn1js'

/**
 * A value of ASN.1 (X.690, BER or DER), for reading step by step. Asking for what is not there throws an Error of
 * no particular sort; who reads for a client catches it and says what was expected.
 */
export class Asn1 {
  readonly #block: asn1js.BaseBlock

  private constructor(block: asn1js.BaseBlock) {
    this.#block = block
  }

  /** Reads the first value; bytes after it are passed over, as OpenSSL does. */
  static read(bytes: Uint8Array): Asn1 {
    const { offset, result } = asn1js.fromBER(bytes)
    if (offset < 0) throw new Error('This is not ASN.1.')
    return new Asn1(result)
  }

  get isSequence(): boolean {
    return this.#block instanceof asn1js.Sequence
  }

  get isOctetString(): boolean {
    return this.#block instanceof asn1js.OctetString
  }

  /** The values inside a SEQUENCE, SET or tagged value. */
  get children(): Asn1[] {
    if (!(this.#block instanceof asn1js.Constructed)) throw new Error('This value has no parts.')
    return this.#block.valueBlock.value
      .filter((item) => item instanceof asn1js.BaseBlock)
      .map((item) => new Asn1(item))
  }

  /** One of the values inside. */
  child(index: number): Asn1 {
    const child = this.children[index]
    if (!child) throw new Error('A part is missing.')
    return child
  }

  /** The bytes of an OCTET STRING, also of one in pieces and of one whose tag a context replaces. */
  get octets(): Buffer {
    const block = this.#block
    if (block instanceof asn1js.OctetString) return Buffer.from(block.getValue())
    if (block instanceof asn1js.Primitive) return Buffer.from(block.valueBlock.valueHexView)
    return Buffer.concat(this.children.map((piece) => piece.octets))
  }

  /** The dotted numbers of an OBJECT IDENTIFIER. */
  get oid(): string {
    if (!(this.#block instanceof asn1js.ObjectIdentifier)) throw new Error('This is no object identifier.')
    return this.#block.getValue()
  }

  /** An INTEGER, which has to be from 1 to `max`. */
  count(max: number): number {
    if (!(this.#block instanceof asn1js.Integer)) throw new Error('This is no integer.')
    const value = this.#block.toBigInt()
    if (value < 1n || value > BigInt(max)) throw new Error(`This is not from 1 to ${max}.`)
    return Number(value)
  }

  get isInteger(): boolean {
    return this.#block instanceof asn1js.Integer
  }

  /** How long an INTEGER is, in whole bytes; one that begins with a one bit has a byte of zeros before it, which does not count. */
  get bitLength(): number {
    if (!(this.#block instanceof asn1js.Integer)) throw new Error('This is no integer.')
    const bytes = this.#block.valueBlock.valueHexView
    return 8 * (bytes[0] === 0 ? bytes.length - 1 : bytes.length)
  }

  /** The value with its tag and length. */
  get encoded(): Buffer {
    return Buffer.from(this.#block.valueBeforeDecodeView)
  }
}
