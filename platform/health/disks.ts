import { statfs } from 'node:fs/promises'

/** Space of the disk that a folder is on, bytes. */
export type DiskFigures = {
  readonly place: string
  /** Bytes that this process may still use. */
  readonly free: number
  readonly used: number
}

/** Folders by what they are for. One that cannot be read is left out: the file system may not be mounted yet. */
export async function diskFigures(folders: Readonly<Record<string, string>>): Promise<readonly DiskFigures[]> {
  const figures = await Promise.all(
    Object.entries(folders).map(async ([place, folder]) => {
      try {
        const { bavail, bfree, blocks, bsize } = await statfs(folder)
        return [{ place, free: bavail * bsize, used: (blocks - bfree) * bsize }]
      } catch {
        return []
      }
    }),
  )
  return figures.flat()
}
