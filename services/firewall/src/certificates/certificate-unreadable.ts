/**
 * Thrown by everything in this folder for input that cannot be used. The message is whole sentences that say what
 * was wrong and what was expected, fit for the caller's reply; it never holds key material or a password, and so
 * the failure of a library beneath, which might, is not kept as its cause.
 */
export class CertificateUnreadable extends Error {
  constructor(sentences: string) {
    super(sentences)
    this.name = 'CertificateUnreadable'
  }
}

/** What `work` gives; when it fails in a way of its own, a CertificateUnreadable that says `sentences` instead. */
export function orUnreadable<T>(sentences: string, work: () => T): T {
  try {
    return work()
  } catch (failure) {
    throw unreadable(sentences, failure)
  }
}

/** The same for work that takes its time. */
export async function orUnreadableLater<T>(sentences: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (failure) {
    throw unreadable(sentences, failure)
  }
}

function unreadable(sentences: string, failure: unknown): CertificateUnreadable {
  return failure instanceof CertificateUnreadable ? failure : new CertificateUnreadable(sentences)
}
