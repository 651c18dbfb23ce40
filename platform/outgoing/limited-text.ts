/** The body of an answer as text, up to so many bytes; a longer one is an error, and ends its connection. */
export async function limitedText(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const parts: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(parts).toString()
    bytes += value.length
    if (bytes > most) {
      await reader.cancel()
      throw new Error(`the answer is longer than ${most} bytes`)
    }
    parts.push(value)
  }
}
