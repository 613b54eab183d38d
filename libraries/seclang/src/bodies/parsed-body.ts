import type { MultipartFlags } from './multipart/multipart-flags.ts'

/** An argument of a request: byte strings. */
export interface Argument {
  readonly name: string
  readonly value: string
}

/** A file in a multipart body. */
export interface UploadedFile {
  /** Of the form field. */
  readonly field: string
  /** As the client calls it. */
  readonly fileName: string
  readonly content: string
  /** Of its part, without their ends. */
  readonly headerLines: readonly string[]
}

/** One header line of a part of a multipart body. */
export interface PartHeader {
  /** Of the form field to which the part belongs. */
  readonly field: string
  /** "Content-Type: text/plain", without the line's end. */
  readonly line: string
}

/** The parts of an XML document that rules can ask for. */
export interface XmlContents {
  /** All text in the root element, joined: `XML:/*`. */
  readonly text: string
  /** The same text in its pieces, as tags divide it; only of readers that read all. */
  readonly pieces?: readonly string[]
  /** The values of all attributes: `XML://@*`. */
  readonly attributes: readonly string[]
}

/** What a body processor made of a body. Members are absent where the processor has nothing of the kind. */
export interface ParsedBody {
  readonly arguments?: readonly Argument[]
  readonly files?: readonly UploadedFile[]
  readonly partHeaders?: readonly PartHeader[]
  readonly multipart?: MultipartFlags
  readonly xml?: XmlContents
  /** Whether the body, as text, can be read as REQUEST_BODY. */
  readonly isText?: boolean
  /** Whether an escape of a form was no escape: URLENCODED_ERROR. */
  readonly hasInvalidEscapes?: boolean
  /** Why others could understand the body otherwise; a sentence each. Only of readers that look for that. */
  readonly faults?: readonly string[]
  /** Whether REQUEST_BODY does not show it, whatever rules ask for: it is a file, or its parts are arguments. */
  readonly isHidden?: boolean
  /** How much of it is no text, in bytes: files in it or all of it. */
  readonly unreadBytes?: number
  /** Why the body is not what it claims to be; the rest is then what was understood before the error. */
  readonly error?: string
}
