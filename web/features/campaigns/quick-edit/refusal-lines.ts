import { AppError } from '@/data/app-error'
import { errorText, faultText } from '@/i18n/error-text'

/**
 * The texts of a refusal, one for each fault. Faults of other fields than `fields` name their field. Loads the names of fields only
 * for them.
 */
export async function refusalLines(refusal: unknown, fields: readonly string[]): Promise<readonly string[]> {
  if (!(refusal instanceof AppError) || refusal.faults.length === 0) return [errorText(refusal)]
  const elsewhere = refusal.faults.some(({ path }) => !fields.includes(path))
  const texts = elsewhere ? [import('@/i18n/texts/log'), import('@/i18n/texts/form'), import('@/i18n/texts/owner')] : []
  const labels = elsewhere ? await import('../change-log/log-labels.ts') : null
  await Promise.all(texts)
  const lines = refusal.faults.map((fault) =>
    labels === null || fields.includes(fault.path) ? faultText(fault) : `${labels.pathLabel(fault.path)}: ${faultText(fault)}`,
  )
  return [...new Set(lines)]
}
