// What everything is built on runs in a task of its own, and what is built on it in the next: together they are a long one on a slow processor.
import 'react-dom/client'
import '@/styles.css'

void import('@/application')
