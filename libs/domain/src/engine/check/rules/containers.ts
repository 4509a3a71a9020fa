import { ITEM_TYPES } from '../../definition/definition.js';
import { error } from '../problems/problem.js';
import { isContainer, type Rule } from './checked-draft.js';

/** A container has items, all of its own kind (S2, S4). */
export const checkContainers: Rule = ({ draft }) =>
  draft.blocks.filter(isContainer).flatMap(({ type, id, items }) => {
    const place = ['blocks', id, 'items'];
    if (items.length === 0)
      return [error('container.without-items', place, `${type} ${id} needs at least one item`)];
    return items
      .filter((item) => item.type !== ITEM_TYPES[type])
      .map((item) =>
        error(
          'container.wrong-item',
          [...place, item.id],
          `an item of a ${type} is a ${ITEM_TYPES[type]}, not a ${item.type}`,
        ),
      );
  });
