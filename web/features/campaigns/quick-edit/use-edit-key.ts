import { useTranslation } from 'react-i18next'
import { isDialogOpen } from '@/app/shortcuts/keys'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { EDIT_KEY } from './cell-edit.tsx'

/** F2 opens the editor of the focused cell, or that of the name from elsewhere in a row. */
export function useEditKey() {
  const { t } = useTranslation('campaigns')
  useShortcuts([
    {
      id: 'campaigns.edit-cell',
      label: t('edit.key'),
      keys: [EDIT_KEY],
      when: () => !isDialogOpen() && editOfFocus() !== null,
      run: () => editOfFocus()?.click(),
    },
  ])
}

function editOfFocus(): HTMLElement | null {
  const focused = document.activeElement
  return focused?.closest<HTMLElement>('[data-edit]') ?? focused?.closest('[data-row]')?.querySelector('[data-edit=name]') ?? null
}
