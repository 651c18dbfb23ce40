/** Returns the field of a wire path by its longest known prefix: `placement.languages[2]` belongs to `placement.languages`. */
export function fieldByPath(path: string, fields: Readonly<Record<string, string>>): string | null {
  const segments = path.split(/[.[\]]+/).filter((segment) => segment !== '')
  for (let length = segments.length; length > 0; length--) {
    const field = fields[segments.slice(0, length).join('.')]
    if (field !== undefined) return field
  }
  return null
}
