import { useTranslation } from 'react-i18next'
import { UNDO_MS } from '@/app/shortcuts/use-undo'
import { errorText } from '@/i18n/error-text'
import { toast } from '@/lib/toast'
import { forEachBounded, WRITES_AT_ONCE } from './bounded.ts'
import { isChangedSince } from './save-fields.ts'

/** Campaigns that a message names. */
const MOST_NAMED = 3

/** Takes changes of campaigns back, each with its own outcome, and reports how many could be. */
export function useTakeBack() {
  const { t } = useTranslation('campaigns')
  return async <Change>(
    changes: readonly Change[],
    { nameOf, takeBack }: { readonly nameOf: (change: Change) => string; readonly takeBack: (change: Change) => Promise<void> },
  ): Promise<void> => {
    const failures: string[] = []
    await forEachBounded(changes, WRITES_AT_ONCE, async (change) => {
      try {
        await takeBack(change)
      } catch (error) {
        failures.push(`${nameOf(change)}: ${isChangedSince(error) ? t('edit.changedSince') : errorText(error)}`)
      }
    })
    const done = changes.length - failures.length
    if (failures.length === 0) toast.success(t('edit.undone', { count: done }))
    else
      toast.error(t('edit.notUndone', { done, count: failures.length }), {
        description: failures.slice(0, MOST_NAMED).join(' '),
        duration: UNDO_MS,
      })
  }
}
