C SPDX-License-Identifier: BSD-3-Clause
C Alltoall and Alltoallv through mpif.h, in place and with a derived
C type as well, several times. Every element is known by rule.
      PROGRAM MPIFH
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER RANK, RANKS, IERR, ERRORS, TOTAL, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED

      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
      IF (RANKS .GT. 64) THEN
          IF (RANK .EQ. 0) PRINT *, 'fortran_mpifh: at most 64 ranks'
          CALL MPI_FINALIZE(IERR)
          STOP 2
      END IF
      CALL MKTYPE
      ERRORS = 0
      DO ROUND = 1, 8
          CALL UNIFRM(.FALSE.)
          CALL UNIFRM(.TRUE.)
          CALL UNIGAP
          CALL VARIED(.FALSE.)
          CALL VARIED(.TRUE.)
          CALL VARGAP
      END DO
      CALL MPI_TYPE_FREE(SPACED, IERR)
      CALL MPI_ALLREDUCE(ERRORS, TOTAL, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0 .AND. TOTAL .EQ. 0) THEN
          PRINT '(A)', 'fortran_mpifh: OK'
      ELSE IF (RANK .EQ. 0) THEN
          PRINT '(A,I8)', 'fortran_mpifh: wrong elements: ', TOTAL
      END IF
      CALL MPI_FINALIZE(IERR)
      IF (TOTAL .GT. 0) STOP 1
      END

C What rank S sends to rank D as its element I.
      INTEGER FUNCTION ELEMNT(S, D, I)
      IMPLICIT NONE
      INTEGER S, D, I
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      ELEMNT = ((S * 64 + D) * 64 + I) * 8 + ROUND
      END

C How many: zero now and then, and symmetric, as MPI_IN_PLACE asks for.
      INTEGER FUNCTION AMOUNT(S, D)
      IMPLICIT NONE
      INTEGER S, D
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      AMOUNT = MOD(S * D + S + D + ROUND, 5)
      END

      SUBROUTINE EXPECT(VALUE, S, I)
      IMPLICIT NONE
      INTEGER VALUE, S, I, ELEMNT
      EXTERNAL ELEMNT
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      IF (VALUE .NE. ELEMNT(S, RANK, I)) ERRORS = ERRORS + 1
      END

C Two integers, each followed by a gap of one.
      SUBROUTINE MKTYPE
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER VECTOR, BYTES, IERR
      INTEGER(KIND=MPI_ADDRESS_KIND) START, EXTENT
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      CALL MPI_TYPE_SIZE(MPI_INTEGER, BYTES, IERR)
      START = 0
      EXTENT = 4 * BYTES
      CALL MPI_TYPE_VECTOR(2, 1, 2, MPI_INTEGER, VECTOR, IERR)
      CALL MPI_TYPE_CREATE_RESIZED(VECTOR, START, EXTENT, SPACED, IERR)
      CALL MPI_TYPE_COMMIT(SPACED, IERR)
      CALL MPI_TYPE_FREE(VECTOR, IERR)
      END

      SUBROUTINE UNIFRM(INPLAC)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      LOGICAL INPLAC
      INTEGER SENT(3, 0:63), RECVD(3, 0:63), R, I, IERR, ELEMNT
      EXTERNAL ELEMNT
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      DO R = 0, RANKS - 1
          DO I = 1, 3
              SENT(I, R) = ELEMNT(RANK, R, I)
              RECVD(I, R) = -1
              IF (INPLAC) RECVD(I, R) = SENT(I, R)
          END DO
      END DO
      IF (INPLAC) THEN
          CALL MPI_ALLTOALL(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL,
     &                      RECVD(1, 0), 3, MPI_INTEGER,
     &                      MPI_COMM_WORLD, IERR)
      ELSE
          CALL MPI_ALLTOALL(SENT(1, 0), 3, MPI_INTEGER,
     &                      RECVD(1, 0), 3, MPI_INTEGER,
     &                      MPI_COMM_WORLD, IERR)
      END IF
      DO R = 0, RANKS - 1
          DO I = 1, 3
              CALL EXPECT(RECVD(I, R), R, I)
          END DO
      END DO
      END

      SUBROUTINE UNIGAP
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER SENT(4, 0:63), RECVD(2, 0:63), R, IERR, ELEMNT
      EXTERNAL ELEMNT
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      DO R = 0, RANKS - 1
          SENT(1, R) = ELEMNT(RANK, R, 1)
          SENT(2, R) = -1
          SENT(3, R) = ELEMNT(RANK, R, 2)
          SENT(4, R) = -1
          RECVD(1, R) = -1
          RECVD(2, R) = -1
      END DO
      CALL MPI_ALLTOALL(SENT(1, 0), 1, SPACED,
     &                  RECVD(1, 0), 2, MPI_INTEGER,
     &                  MPI_COMM_WORLD, IERR)
      DO R = 0, RANKS - 1
          CALL EXPECT(RECVD(1, R), R, 1)
          CALL EXPECT(RECVD(2, R), R, 2)
      END DO
      END

      SUBROUTINE VARIED(INPLAC)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      LOGICAL INPLAC
      INTEGER SENT(5, 0:63), RECVD(5, 0:63), COUNTS(0:63), DISPLS(0:63)
      INTEGER R, I, IERR, ELEMNT, AMOUNT
      EXTERNAL ELEMNT, AMOUNT
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      DO R = 0, RANKS - 1
          DO I = 1, 5
              SENT(I, R) = ELEMNT(RANK, R, I)
              RECVD(I, R) = -1
              IF (INPLAC) RECVD(I, R) = SENT(I, R)
          END DO
          COUNTS(R) = AMOUNT(RANK, R)
          DISPLS(R) = 5 * R
      END DO
      IF (INPLAC) THEN
          CALL MPI_ALLTOALLV(MPI_IN_PLACE, COUNTS, DISPLS, MPI_INTEGER,
     &                       RECVD(1, 0), COUNTS, DISPLS, MPI_INTEGER,
     &                       MPI_COMM_WORLD, IERR)
      ELSE
          CALL MPI_ALLTOALLV(SENT(1, 0), COUNTS, DISPLS, MPI_INTEGER,
     &                       RECVD(1, 0), COUNTS, DISPLS, MPI_INTEGER,
     &                       MPI_COMM_WORLD, IERR)
      END IF
      DO R = 0, RANKS - 1
          DO I = 1, 5
              IF (I .LE. COUNTS(R)) THEN
                  CALL EXPECT(RECVD(I, R), R, I)
              ELSE IF (.NOT. INPLAC .AND. RECVD(I, R) .NE. -1) THEN
C                 What was not received must not have been touched.
                  ERRORS = ERRORS + 1
              END IF
          END DO
      END DO
      END

C The spaced type on the receiving side: the gaps must stay.
      SUBROUTINE VARGAP
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER SENT(2, 0:63), RECVD(4, 0:63), COUNTS(0:63), DISPLS(0:63)
      INTEGER PAIRS(0:63), PDISPL(0:63), R, I, IERR, ELEMNT, AMOUNT
      EXTERNAL ELEMNT, AMOUNT
      INTEGER RANK, RANKS, ERRORS, ROUND, SPACED
      COMMON /STATE/ RANK, RANKS, ERRORS, ROUND, SPACED
      DO R = 0, RANKS - 1
          SENT(1, R) = ELEMNT(RANK, R, 1)
          SENT(2, R) = ELEMNT(RANK, R, 2)
          PAIRS(R) = MOD(AMOUNT(RANK, R), 2)
          PDISPL(R) = R
          COUNTS(R) = 2 * PAIRS(R)
          DISPLS(R) = 2 * R
          DO I = 1, 4
              RECVD(I, R) = -1
          END DO
      END DO
      CALL MPI_ALLTOALLV(SENT(1, 0), COUNTS, DISPLS, MPI_INTEGER,
     &                   RECVD(1, 0), PAIRS, PDISPL, SPACED,
     &                   MPI_COMM_WORLD, IERR)
      DO R = 0, RANKS - 1
          IF (PAIRS(R) .EQ. 1) THEN
              CALL EXPECT(RECVD(1, R), R, 1)
              CALL EXPECT(RECVD(3, R), R, 2)
          END IF
          IF (RECVD(2, R) .NE. -1) ERRORS = ERRORS + 1
          IF (RECVD(4, R) .NE. -1) ERRORS = ERRORS + 1
      END DO
      END
