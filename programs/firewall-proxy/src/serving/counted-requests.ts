import { IncomingMessage } from 'node:http'
import { Http2ServerRequest } from 'node:http2'
import type { ClientRequest } from '../exchange/client-message.ts'

/** Told how many bytes a piece of a body has, for each piece as the parser finds it. */
type PieceCounter = (bytes: number) => void

/** A request over HTTP/1, of whose body each chunk is told. */
export class CountedHttp1Request extends IncomingMessage {
  onPiece: PieceCounter | undefined

  override push(piece: Buffer | null): boolean {
    if (piece !== null) this.onPiece?.(piece.length)
    return super.push(piece)
  }
}

/** A request over HTTP/2, of whose body each frame is told. */
export class CountedHttp2Request extends Http2ServerRequest {
  onPiece: PieceCounter | undefined

  override push(piece: Buffer | null): boolean {
    if (piece !== null) this.onPiece?.(piece.length)
    return super.push(piece)
  }
}

/** Has the pieces of a request's body told from now on. Nothing of it may have come. */
export function countPieces(request: ClientRequest, count: PieceCounter): void {
  if (request instanceof CountedHttp1Request || request instanceof CountedHttp2Request)
    request.onPiece = count
}
