import type { TableColumn } from '../../core/rows.ts'

const image = /^data:image\/|\.(?:png|jpe?g|gif|webp|svg|bmp|avif|tiff?)(?:[?#]\S*)?$/i

/** Whether a column holds addresses of images, or images themselves. */
export function isImage({ examples }: Pick<TableColumn, 'examples'>): boolean {
  return examples.length > 0 && examples.every((example) => image.test(example.trim()))
}
