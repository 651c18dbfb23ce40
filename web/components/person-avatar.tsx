import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readPicture } from '../../api/contract/profile.ts'
import { download } from '@/data/client'
import { cn } from '@/lib/utils'

type PersonAvatarProps = {
  readonly name: string
  readonly pictureId: string | null
  readonly className?: string
}

/** A user's picture, or their initials. Pictures need the session's token, so they are not plain image addresses. */
export function PersonAvatar({ name, pictureId, className }: PersonAvatarProps) {
  const { data } = useQuery({
    queryKey: ['picture', pictureId],
    queryFn: ({ signal }) => download(readPicture, { params: { id: pictureId ?? '' }, signal }),
    enabled: pictureId !== null,
    staleTime: Infinity,
    retry: false,
  })
  const url = useObjectUrl(pictureId === null ? undefined : data)
  return (
    <span
      aria-hidden
      className={cn(
        'bg-primary-tint text-primary-ink text-xs grid size-8 shrink-0 place-items-center overflow-hidden rounded-full font-semibold',
        className,
      )}
    >
      {url === null ? initials(name) : <img src={url} alt="" className="size-full object-cover" />}
    </span>
  )
}

function useObjectUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (blob === undefined) return setUrl(null)
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1))
    .join('')
    .toUpperCase()
