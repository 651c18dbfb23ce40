/** Saves a file under a name through the browser, like a click on a download link. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken over the URL by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
