! SPDX-License-Identifier: BSD-3-Clause
! Alltoall and Alltoallv through `use mpi`, in place and with a derived type as well, several times. Every element is known by rule.
program fortran_usempi
    use mpi
    implicit none
    integer, parameter :: items = 3, repeats = 8
    integer :: rank, ranks, ierr, errors, total, spaced, repeat

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    call make_spaced
    errors = 0
    do repeat = 1, repeats
        call uniform(.false.)
        call uniform(.true.)
        call uniform_spaced
        call varied(.false.)
        call varied(.true.)
        call varied_spaced
    end do
    call MPI_Type_free(spaced, ierr)
    call MPI_Allreduce(errors, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank == 0 .and. total == 0) print '(a)', 'fortran_usempi: OK'
    if (rank == 0 .and. total > 0) print '(a,i0,a)', 'fortran_usempi: ', total, ' elements are wrong'
    call MPI_Finalize(ierr)
    if (total > 0) stop 1

contains

    ! What rank s sends to rank d as its element i.
    pure integer function element(s, d, i)
        integer, intent(in) :: s, d, i
        element = ((s * 64 + d) * 64 + i) * repeats + repeat
    end function element

    ! How many: zero now and then, and symmetric, as MPI_IN_PLACE asks for.
    pure integer function amount(s, d)
        integer, intent(in) :: s, d
        amount = mod(s * d + s + d + repeat, 5)
    end function amount

    subroutine expect(value, s, i)
        integer, intent(in) :: value, s, i
        if (value /= element(s, rank, i)) errors = errors + 1
    end subroutine expect

    ! Two integers, each followed by a gap of one.
    subroutine make_spaced
        integer :: vector, integer_bytes
        integer(MPI_ADDRESS_KIND) :: extent
        call MPI_Type_size(MPI_INTEGER, integer_bytes, ierr)
        extent = 4 * integer_bytes
        call MPI_Type_vector(2, 1, 2, MPI_INTEGER, vector, ierr)
        call MPI_Type_create_resized(vector, 0_MPI_ADDRESS_KIND, extent, spaced, ierr)
        call MPI_Type_commit(spaced, ierr)
        call MPI_Type_free(vector, ierr)
    end subroutine make_spaced

    subroutine uniform(in_place)
        logical, intent(in) :: in_place
        integer :: sent(items, 0:ranks - 1), received(items, 0:ranks - 1), r, i
        do r = 0, ranks - 1
            sent(:, r) = [(element(rank, r, i), i = 1, items)]
        end do
        received = -1
        if (in_place) then
            received = sent
            call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, items, MPI_INTEGER, MPI_COMM_WORLD, ierr)
        else
            call MPI_Alltoall(sent, items, MPI_INTEGER, received, items, MPI_INTEGER, MPI_COMM_WORLD, ierr)
        end if
        do r = 0, ranks - 1
            do i = 1, items
                call expect(received(i, r), r, i)
            end do
        end do
    end subroutine uniform

    subroutine uniform_spaced
        integer :: sent(4, 0:ranks - 1), received(2, 0:ranks - 1), r
        sent = -1
        do r = 0, ranks - 1
            sent(1, r) = element(rank, r, 1)
            sent(3, r) = element(rank, r, 2)
        end do
        received = -1
        call MPI_Alltoall(sent, 1, spaced, received, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
        do r = 0, ranks - 1
            call expect(received(1, r), r, 1)
            call expect(received(2, r), r, 2)
        end do
    end subroutine uniform_spaced

    subroutine varied(in_place)
        logical, intent(in) :: in_place
        integer :: sent(5, 0:ranks - 1), received(5, 0:ranks - 1), counts(0:ranks - 1), displs(0:ranks - 1), r, i
        do r = 0, ranks - 1
            sent(:, r) = [(element(rank, r, i), i = 1, 5)]
            counts(r) = amount(rank, r)
            displs(r) = 5 * r
        end do
        received = -1
        if (in_place) then
            received = sent
            call MPI_Alltoallv(MPI_IN_PLACE, counts, displs, MPI_INTEGER, &
                               received, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierr)
        else
            call MPI_Alltoallv(sent, counts, displs, MPI_INTEGER, received, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierr)
        end if
        do r = 0, ranks - 1
            do i = 1, counts(r)
                call expect(received(i, r), r, i)
            end do
            ! What was not received must not have been touched.
            if (.not. in_place .and. any(received(counts(r) + 1:, r) /= -1)) errors = errors + 1
        end do
    end subroutine varied

    ! The spaced type on the receiving side: the gaps must stay as they are.
    subroutine varied_spaced
        integer :: sent(2, 0:ranks - 1), received(4, 0:ranks - 1), r
        integer, dimension(0:ranks - 1) :: pairs, pair_displs, counts, displs
        do r = 0, ranks - 1
            sent(:, r) = [element(rank, r, 1), element(rank, r, 2)]
            pairs(r) = mod(amount(rank, r), 2)
            pair_displs(r) = r
            counts(r) = 2 * pairs(r)
            displs(r) = 2 * r
        end do
        received = -1
        call MPI_Alltoallv(sent, counts, displs, MPI_INTEGER, received, pairs, pair_displs, spaced, MPI_COMM_WORLD, ierr)
        do r = 0, ranks - 1
            if (pairs(r) == 1) then
                call expect(received(1, r), r, 1)
                call expect(received(3, r), r, 2)
            end if
            if (received(2, r) /= -1 .or. received(4, r) /= -1) errors = errors + 1
        end do
    end subroutine varied_spaced
end program fortran_usempi
