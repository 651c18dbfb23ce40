import type { Completeness, ExportFilters } from './export-format.ts'

/** Completeness that filters leave: those by white-label and account keep whole streams. */
export function completenessOf({ white_label, space, actor, types, from, to }: ExportFilters): Completeness {
  if (actor !== null || types !== null || from !== null || to !== null) return 'none'
  return white_label === null && space === null ? 'range' : 'streams'
}
