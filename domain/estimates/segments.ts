import type { Selection } from '../campaign/content/content.ts'

/** How much each step of similarity widens what is included. */
export const WIDENING = [1, 1.25, 1.6, 2] as const

/** Members of audiences by id; an unknown one has none. */
export type SegmentSizes = ReadonlyMap<string, number>

/**
 * The part of `online` people who are in these audiences, 0 to 1: at most all members of includeAny together, at most those of the smallest of
 * include, less those of exclude. Which members two audiences share does not count, and similarity widens what is included.
 */
export function segmentShare(
  { includeAny, include, exclude }: Selection,
  sizes: SegmentSizes,
  { similarity, online }: { readonly similarity: number; readonly online: number },
): number {
  if (online <= 0) return 0
  const widening = WIDENING[similarity] ?? 1
  const of = (id: string) => sizes.get(id) ?? 0
  const total = (ids: readonly string[]) => [...new Set(ids)].reduce((sum, id) => sum + of(id), 0)
  const any = includeAny.length === 0 ? online : total(includeAny) * widening
  const least = Math.min(any, ...include.map((id) => of(id) * widening), online)
  const left = Math.max(0, 1 - total(exclude) / online)
  return (least / online) * left
}
