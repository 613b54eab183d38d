/** The server was restarted and no longer knows of a backup that is under way: it starts again from the front. */
export class BeginAnew extends Error {
  override readonly name = 'BeginAnew'
}
