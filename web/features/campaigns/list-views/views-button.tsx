import { useMutation } from '@tanstack/react-query'
import { Bookmark, ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeView, type ListViewState } from '#contract/views'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { Button } from '@/components/ui/button'
import type { ListScope } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { usePopup } from '@/lib/use-popup'
import type { ListViews } from './use-list-views.ts'
import { viewsKey } from './view-queries.ts'

const load = () => import('./views-items.tsx')
const ViewsItems = lazy(async () => ({ default: (await load()).ViewsItems }))
const ViewDialog = lazy(() => import('./view-dialog.tsx'))

type ViewsButtonProps = {
  readonly scope: ListScope
  readonly views: ListViews
  /** Present state of the list. */
  readonly state: () => ListViewState
}

/** The menu of saved views, and a button that saves the changes of the open one. */
export function ViewsButton({ scope, views, state }: ViewsButtonProps) {
  const { t } = useTranslation('campaigns')
  const { shown: menuShown, trigger, popup } = usePopup('menu', load)
  const [dialog, setDialog] = useState<'save' | 'rename' | null>(null)
  const { shown, isChanged } = views
  const { mutate: saveChanges, isPending } = useMutation({
    meta: { invalidates: [viewsKey()] },
    mutationFn: ({ id, name, shared, version }: NonNullable<typeof shown>) =>
      call(changeView, { params: { id }, body: { name, shared, version, state: state() } }),
    onSuccess: (_, { name }) => toast.success(t('views.saved', { name })),
  })
  useShortcuts([{ id: 'campaigns.save-view', label: t('views.saveAs'), keys: [], Icon: Bookmark, run: () => setDialog('save') }])
  return (
    <>
      {shown !== null && isChanged && shown.editable && (
        <Button variant="outline" disabled={isPending} onClick={() => saveChanges(shown)}>
          {t('views.saveChanges')}
        </Button>
      )}
      <span className="relative inline-flex max-w-48 min-w-0">
        <Button variant="outline" className="min-w-0" {...trigger}>
          <Bookmark aria-hidden />
          <span className="truncate">
            {shown === null ? t('views.title') : isChanged ? t('views.changed', { name: shown.name }) : shown.name}
          </span>
          <ChevronDown aria-hidden className="opacity-60" />
        </Button>
        {menuShown && (
          <Suspense>
            <ViewsItems
              scope={scope}
              views={views}
              popup={popup}
              onSaveAs={() => setDialog('save')}
              onRename={() => setDialog('rename')}
            />
          </Suspense>
        )}
      </span>
      {dialog !== null && (
        <Suspense>
          <ViewDialog
            scope={scope}
            views={views}
            state={state()}
            view={dialog === 'rename' ? shown : null}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </>
  )
}
