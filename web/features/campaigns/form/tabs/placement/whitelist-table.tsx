import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { DataTable } from '@/components/data-table/data-table'
import type { DataColumn } from '@/components/data-table/table-view'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { formatMinute } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { useFileSize } from '@/features/campaigns/creatives/media-facts'
import { refreshWhitelists, whitelistMutations, type Whitelist } from './whitelist-queries.ts'

type WhitelistTableProps = {
  readonly id: string
  readonly lists: readonly Whitelist[]
  /** False for read-only users, who may still download the lists. */
  readonly canChange: boolean
}

export function WhitelistTable({ id, lists, canChange }: WhitelistTableProps) {
  const { t } = useTranslation('placement')
  const client = useQueryClient()
  const table = useRef<HTMLDivElement>(null)
  const [asked, setAsked] = useState<string | null>(null)
  /** The element to focus after a row is removed. */
  const successor = useRef<HTMLElement | null>(null)
  const removing = useMutation({
    ...whitelistMutations.remove(id),
    onSuccess: (_, name) => toast.success(t('whitelists.removed', { name })),
    onSettled: () => refreshWhitelists(client, id),
  })
  const going = removing.isPending ? removing.variables : null
  const remove = (name: string) => {
    successor.current = successorOf(
      table.current,
      lists.findIndex((list) => list.name === name),
    )
    setAsked(null)
    removing.mutate(name)
  }
  const columns = useColumns({ id, canChange, going, onRemove: setAsked })
  return (
    <>
      <div ref={table}>
        <DataTable
          caption={t('whitelists.title')}
          columns={columns}
          rowId={({ name }) => name}
          rows={lists}
          isRowBusy={({ name }) => name === going}
          narrow="fit"
        />
      </div>
      <ConfirmDialog
        open={asked !== null}
        title={t('whitelists.confirm.title', { name: asked ?? '' })}
        text={t('whitelists.confirm.text')}
        confirm={t('whitelists.confirm.confirm')}
        cancel={t('whitelists.confirm.cancel')}
        tone="destructive"
        onConfirm={() => asked !== null && remove(asked)}
        onCancel={() => setAsked(null)}
        onCloseAutoFocus={(event) => {
          if (successor.current === null) return
          event.preventDefault()
          successor.current.focus()
          successor.current = null
        }}
      />
    </>
  )
}

type ColumnsProps = Pick<WhitelistTableProps, 'id' | 'canChange'> & {
  /** Name of the list that is being removed. */
  readonly going: string | null
  readonly onRemove: (name: string) => void
}

function useColumns({ id, canChange, going, onRemove }: ColumnsProps): readonly DataColumn<Whitelist>[] {
  const { t } = useTranslation('placement')
  const sizeOf = useFileSize()
  return [
    {
      id: 'name',
      header: t('whitelists.name'),
      rowHeader: true,
      cell: ({ name }) => name,
      className: 'font-medium wrap-anywhere',
    },
    { id: 'size', header: t('whitelists.size'), numeric: true, width: 'w-28', cell: ({ size }) => sizeOf(size) },
    {
      id: 'uploaded',
      header: t('whitelists.uploaded'),
      width: 'w-44',
      cell: ({ created_at }) => <time dateTime={created_at}>{formatMinute(created_at)}</time>,
      className: 'whitespace-nowrap tabular-nums',
    },
    {
      id: 'actions',
      header: t('whitelists.actions'),
      headerHidden: true,
      controls: true,
      width: 'w-26',
      cell: ({ name }) => (
        <>
          <DownloadButton id={id} name={name} />
          {canChange && (
            <HoverTip text={t('whitelists.remove', { name })}>
              <Button
                data-focus="remove"
                variant="ghost"
                size="icon"
                aria-label={t('whitelists.remove', { name })}
                // A disabled button would lose the focus.
                aria-disabled={going !== null}
                onClick={() => going === null && onRemove(name)}
              >
                <Trash2 aria-hidden />
              </Button>
            </HoverTip>
          )}
        </>
      ),
      className: 'py-0 text-right whitespace-nowrap',
    },
  ]
}

/** Returns the button of the next or previous row; without another row, the upload or its container. */
function successorOf(table: HTMLElement | null, index: number): HTMLElement | null {
  const buttons = [...(table?.querySelectorAll<HTMLElement>('[data-focus=remove]') ?? [])]
  const upload = table?.parentElement?.querySelector<HTMLElement>('input[type="file"]')
  return buttons[index + 1] ?? buttons[index - 1] ?? upload ?? table?.parentElement ?? null
}

function DownloadButton({ id, name }: { readonly id: string; readonly name: string }) {
  const { t } = useTranslation('placement')
  const { mutate, isPending } = useMutation(whitelistMutations.download(id))
  const label = t('whitelists.download', { name })
  return (
    <HoverTip text={label}>
      <Button
        data-focus="download"
        variant="ghost"
        size="icon"
        aria-label={label}
        aria-disabled={isPending}
        onClick={() => !isPending && mutate(name)}
      >
        <Download aria-hidden />
      </Button>
    </HoverTip>
  )
}
