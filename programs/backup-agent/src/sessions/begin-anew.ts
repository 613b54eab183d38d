/** A backup starts again from the front: the server was restarted and no longer knows of it, or does not take what it was to be made of. */
export class BeginAnew extends Error {
  override readonly name = 'BeginAnew'
}
