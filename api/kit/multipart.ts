import { Refused, refused } from './refused.ts'

/** Reads a multipart body. A truncated or malformed body is the client's error. */
export async function readParts<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refused || (error instanceof Error && 'statusCode' in error)) throw error
    throw refused(2, [{ path: 'file', code: 2, message: 'The multipart body cannot be read' }])
  }
}
