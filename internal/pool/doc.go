// Package pool keeps the buffers that were given back for those who need one next, so that tensors
// and workspaces that come and go cost no call of a driver.
//
// It is between package weft, which counts the holders of a buffer, and a device. Buffers come
// in classes of capacities, eight to a power of two and 2 MiB apart from 16 MiB on, so that at most an
// eighth of one is beyond the length that was asked for. That length is what its Bytes says
// and what all checks go by (see backend.Resizer); which buffer of a class serves changes no result.
//
// Buffers that wait take no more than a budget: beyond it those that wait the longest are freed, and
// all of them when the device's memory runs out. Contents are undefined, as those of any new buffer.
package pool
