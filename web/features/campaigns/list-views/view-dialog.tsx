import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { addView, changeView, type ListView, type ListViewState } from '#contract/views'
import { FieldsDialog } from '@/components/form/fields-dialog'
import type { ListScope } from '@/data/campaign-queries'
import { call } from '@/data/client'
import type { ListViews } from './use-list-views.ts'
import { viewsKey, viewsQuery } from './view-queries.ts'

type ViewDialogProps = {
  readonly scope: ListScope
  readonly views: ListViews
  /** Present state of the list. */
  readonly state: ListViewState
  /** The view to rename; null for a new one. */
  readonly view: ListView | null
  readonly onClose: () => void
}

/** Saves what the list shows as a new view, or renames a view. Users who may share choose who sees it. */
export default function ViewDialog({ scope, views, state, view, onClose }: ViewDialogProps) {
  const { t } = useTranslation(['campaigns', 'common'])
  const queryClient = useQueryClient()
  /** Opens the new view at once. */
  async function onSaved() {
    if (view !== null) return
    const before = new Set(views.views.map(({ id }) => id))
    const { views: listed } = await queryClient.fetchQuery({ ...viewsQuery(scope), staleTime: 0 })
    const added = listed.find(({ id, own }) => own && !before.has(id))
    if (added !== undefined) views.open(added, 'replace')
  }
  const isShared = view?.shared === true
  const audience = {
    label: t('campaigns:views.audience'),
    kind: 'choice',
    initial: isShared ? 'yes' : 'no',
    options: [
      { value: 'no', label: t('campaigns:views.onlyYou') },
      { value: 'yes', label: t(scope === 'all' ? 'campaigns:views.allStaff' : 'campaigns:views.allUsers') },
    ],
  } as const
  // Only its author takes a shared view back.
  const asksAudience = views.mayShare && (view === null || view.own)
  return (
    <FieldsDialog
      title={t(view === null ? 'campaigns:views.saveTitle' : 'campaigns:views.renameTitle')}
      text={t('campaigns:views.saveText')}
      fields={{
        name: { label: t('campaigns:views.name'), kind: 'text', required: true, initial: view?.name ?? '' },
        ...(asksAudience ? { shared: audience } : {}),
      }}
      confirm={t('campaigns:views.save')}
      send={(values) => {
        const fields = { name: values.name, shared: values.shared === undefined ? isShared : values.shared === 'yes' }
        if (view === null) return call(addView, { body: { list: scope, ...fields, state } })
        return call(changeView, { params: { id: view.id }, body: { ...fields, state: view.state, version: view.version } })
      }}
      invalidates={[viewsKey()]}
      done={t('campaigns:views.done')}
      onDone={() => void onSaved()}
      onClose={onClose}
    />
  )
}
